import { resolve } from 'node:path'
import { Command } from 'commander'
import { backUp, restore } from '../../../db/engine/backup.ts'
import { findHolder } from '../../../db/engine/lock.ts'
import { countUnopened } from '../../../db/engine/reseal.ts'
import { Fault } from '../../../lib/errors.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields } from '../words.ts'

const BACKUP_HELP = `
A backup contains projects, hashed keys, encrypted bot tokens, players, settings and usage. It doesn't contain:
  token.key   the key that decrypts the bot tokens. Store its copy apart from the backups: both together reveal the tokens.
  library/    your music, and caches, which Bandstand rebuilds.`

const FORMER_KEY = 'Append the previous key to token.key as its own line, or add the bots again with their tokens.'

/** A copy of the database that is whole, made while the service runs. */
export function backupCommand(context: AdminContext): Command {
  return new Command('backup')
    .description('write the database to a file, also while the service runs')
    .argument('<file>', 'file to create; it must not exist yet')
    .addHelpText('after', BACKUP_HELP)
    .action(async (file: string, options: Json) => {
      const facts = await context.withProgress({ label: 'Backing up', unit: 'pages' }, (onProgress, signal) =>
        backUp(context.database(), resolve(file), { onProgress, signal }),
      )
      context.show(options, facts, fields({ ...facts }))
      context.note('Also copy token.key to another place: without it, all bots need their tokens again.')
    })
}

/** The way back. */
export function restoreCommand(context: AdminContext): Command {
  return new Command('restore')
    .description('replace the database with a backup, and keep the old one; stop the service first')
    .argument('<file>', 'file from `backup` of this or an earlier version')
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
      const lost = await countUnopened(context.store(), context.vault())
      if (lost > 0) context.note(`Another key encrypted ${lost} secrets of this backup. ${FORMER_KEY}`)
    })
}
