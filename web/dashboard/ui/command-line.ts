import type { Markup } from '../../../lib/html.ts'
import type { PageRequest } from '../http/page-request.ts'
import { copyable } from './components.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

/** A call of the API, ready to be pasted. Without the key itself, which only its owner has, a variable stands for it. */
export function commandLine({ context, language }: PageRequest, path: string, options: CommandLine = {}): Markup {
  const { label = COMMON[language].commandLine, key } = options
  // Double quotes, so that the shell puts the variable in.
  const header = key === undefined ? '"Authorization: Bearer $BANDSTAND_KEY"' : `'Authorization: Bearer ${key}'`
  return copyable(language, label, `curl -i '${context.baseUrl()}${path}' \\\n  -H ${header}`)
}

interface CommandLine {
  readonly label?: string
  readonly key?: string
}

/** A route that works with any key: players where it has a bot or a pool. */
export function pathFor(target: string | null): string {
  return target === null ? '/v1/translation/languages' : '/v1/music/players'
}
