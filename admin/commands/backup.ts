import { resolve } from 'node:path'
import { Command } from 'commander'
import { backUp, restore } from '../../db/engine/backup.ts'
import { findHolder } from '../../db/engine/lock.ts'
import { countUnopened } from '../../db/engine/reseal.ts'
import { Fault } from '../../lib/errors.ts'
import type { AdminContext } from '../context.ts'
import { fields } from '../words.ts'

interface Json {
  readonly json?: boolean
}

const BACKUP_HELP = `
It holds projects, hashed keys, sealed bot tokens, players, settings, usage. It does not hold:
  token.key   the key to the bots' tokens. Keep a copy of it, apart from the backups: the two together give access to the tokens.
  library/    your own music, and caches that are rebuilt.`

const FORMER_KEY = 'Put the key of then as a further line into token.key, or add the bots again with their tokens.'

/** A copy of the database that is whole, made while the service runs. */
export function backupCommand(context: AdminContext): Command {
  return new Command('backup')
    .description('write the database into a file, while the service runs or not')
    .argument('<file>', 'the file to write; it must not be there yet')
    .addHelpText('after', BACKUP_HELP)
    .action(async (file: string, options: Json) => {
      const facts = await context.withProgress({ label: 'Backing up', unit: 'pages' }, (onProgress, signal) =>
        backUp(context.database(), resolve(file), { onProgress, signal }),
      )
      context.show(options, facts, fields({ ...facts }))
      context.note('Keep a copy of token.key too, in another place: without it the bots need their tokens again.')
    })
}

/** The way back. */
export function restoreCommand(context: AdminContext): Command {
  return new Command('restore')
    .description('put a backup in the place of the database; the service must be stopped, the former one is kept')
    .argument('<file>', 'a file that `backup` wrote, by this version or an earlier one')
    .action(async (file: string, options: Json) => {
      const { dataDir } = context.config()
      const holder = findHolder(dataDir)
      if (holder) {
        throw new Fault('conflict', `The service (process ${holder.pid}) uses ${dataDir}. Stop it, then restore.`)
      }
      const result = await context.withProgress({ label: 'Restoring', unit: 'bytes' }, (onProgress, signal) =>
        restore(dataDir, resolve(file), { nowMs: Date.now(), onProgress, signal }),
      )
      context.show(options, result, fields({ restored: resolve(file), former: result.former }))
      const lost = countUnopened(context.database(), context.vault())
      if (lost > 0) context.note(`${lost} secrets in it were sealed with another key. ${FORMER_KEY}`)
    })
}
