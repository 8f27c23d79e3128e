import { Command } from 'commander'
import type { ScriptureImport } from '../../../db/scripture.ts'
import { Fault } from '../../../lib/errors.ts'
import { languageName } from '../../../upstream/translation/language-names.ts'
import type { ParsedScripture } from '../../../upstream/scripture/import/parsed.ts'
import { readScripture } from '../../../upstream/scripture/import/read.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields, table } from '../words.ts'

interface ImportOptions extends Json {
  readonly code?: string
  readonly lang?: string
  readonly name?: string
  readonly description?: string
  readonly license?: string
}

const EXAMPLES = `
Examples:
  npm run admin -- scripture import https://api.getbible.net/v2/web.json
  npm run admin -- scripture import ./web-usfm --code web --lang en --name "World English Bible"
  npm run admin -- scripture list

Formats: USFM (files or folders), OSIS, and whole translations of getBible and helloao. A running service uses an import
immediately. Reading and searching imported translations needs no network.`

/** Translations of scripture that are kept here. */
export function scriptureCommand(context: AdminContext): Command {
  const scripture = new Command('scripture')
    .description('import, list and remove translations of scripture')
    .addHelpText('after', EXAMPLES)
  scripture
    .command('import')
    .description('import a translation; replaces one with the same code')
    .argument('<source...>', 'file, folder of USFM files, or URL')
    .option('--code <code>', 'code of the translation; defaults to the one in the file')
    .option('--lang <tag>', 'language, such as en or zh-Hans')
    .option('--name <name>', 'full name')
    .option('--description <text>', 'description')
    .option('--license <text>', 'license')
    .action((sources: string[], options: ImportOptions) => importScripture(context, sources, options))
  scripture
    .command('list')
    .description('list imported translations')
    .action(async (options: Json) => {
      const all = await context.scripture().translations()
      const rows = all.map((each) => [each.code, each.language, each.name, each.license])
      context.show(options, all, table(['code', 'language', 'name', 'license'], rows))
    })
  scripture
    .command('remove')
    .description('remove an imported translation')
    .argument('<code>', 'code of the translation')
    .action(async (code: string, options: Json) => {
      if (!(await context.scripture().remove(code)))
        throw new Fault(
          'not_found',
          `There is no imported translation ${code}. List all: npm run admin -- scripture list`,
        )
      context.show(options, { code, removed: true }, [`removed  ${code}`])
    })
  return scripture
}

async function importScripture(
  context: AdminContext,
  sources: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const translation = complete(await readScripture(sources), options)
  const total = translation.books.reduce((sum, book) => sum + book.verses.length, 0)
  const verses = await context.withProgress({ label: 'Importing', unit: 'verses' }, (report, signal) =>
    context.scripture().put(translation, { onVerses: (written) => report(written, total), signal }),
  )
  const { code, name, language, license } = translation
  const result = { code, name, language, license, books: translation.books.length, verses }
  context.show(options, result, fields({ ...result, books: String(result.books), verses: String(verses) }))
}

/** Takes each value from the options, else from the file. */
function complete(parsed: ParsedScripture, options: ImportOptions): ScriptureImport {
  const { books } = parsed
  if (!books.some(({ verses }) => verses.length > 0)) {
    throw new Fault(
      'validation_error',
      'The file contains no verses. Use USFM, OSIS, or a whole translation of getBible or helloao.',
    )
  }
  const code = options.code ?? parsed.code
  const lang = options.lang ?? parsed.lang
  if (code === undefined || !/^[A-Za-z0-9][\w.-]{0,63}$/.test(code)) {
    throw new Fault('validation_error', 'Set a code with --code, such as --code web. Use letters, digits, - . and _.')
  }
  if (lang === undefined || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(lang)) {
    throw new Fault('validation_error', "The file doesn't name its language. Set it, such as --lang en.")
  }
  const name = options.name ?? parsed.name ?? code
  const language = options.lang ? languageName(options.lang) : (parsed.language ?? languageName(lang))
  const description = options.description ?? parsed.description ?? name
  return { code, lang, language, name, description, license: options.license ?? parsed.license ?? '', books }
}
