import { mkdir } from 'node:fs/promises'
import { Command } from 'commander'
import { countFiles, scanFolders } from '../../../bot/sources/library/scan.ts'
import { createReader } from '../../../bot/sources/library/reader.ts'
import { createLibraryRecords } from '../../../db/music/library.ts'
import { createLog } from '../../../lib/log.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields } from '../words.ts'

const SCAN_HELP = `
The service scans the folder at each start and after each change of a file. For a large folder, scan before the first start,
so that all tracks are available immediately. A scan skips files that haven't changed.`

/** Your own music, in LIBRARY_DIR. */
export function libraryCommand(context: AdminContext): Command {
  const library = new Command('library').description('scan your music library')
  library
    .command('scan')
    .description('index the titles, artists and lengths of new files')
    .addHelpText('after', SCAN_HELP)
    .action((options: Json) => scan(context, options))
  return library
}

async function scan(context: AdminContext, options: Json): Promise<void> {
  const { music, egress } = context.config()
  const folders = [music.libraryDir]
  const records = createLibraryRecords(context.local())
  const log = createLog('silent')
  const unreadable = new Map<string, string>()
  for (const folder of folders) await mkdir(folder, { recursive: true })
  const reader = createReader({ log, ...egress })
  try {
    const result = await context.withProgress({ label: 'Scanning', unit: 'files' }, async (report, signal) => {
      const total = await countFiles({ folders, reader, signal })
      const onFile = (files: number) => report(files, Math.max(total, files))
      // The service knows which other folders belong to the index, and removes what is in none of them.
      return scanFolders({ folders, records, reader, log, unreadable, signal, onFile, removesMissing: false })
    })
    const facts = {
      folder: music.libraryDir,
      tracks: await records.count(),
      read: result.read,
      unreadable: unreadable.size,
    }
    context.show(options, facts, fields(facts))
  } finally {
    await reader.close()
  }
}
