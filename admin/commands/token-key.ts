import { Command } from 'commander'
import { resealAll } from '../../db/engine/reseal.ts'
import { newKey, readKeyFile, replaceKeys } from '../../db/engine/token-keys.ts'
import type { AdminContext } from '../context.ts'
import { fields } from '../words.ts'

interface Json {
  readonly json?: boolean
}

const HELP = `
Without TOKEN_KEY a new key is made in DATA_DIR/token.key. With it: put the former key as a line into token.key (mode
600), set TOKEN_KEY to a new one (openssl rand -hex 32), run this, then start the service again. A running service
picks the new file up. Backups from before need the former key: keep it for as long as you keep them.`

/** The key under which the tokens of all bots, and other secrets, are sealed. */
export function tokenKeyCommand(context: AdminContext): Command {
  const tokenKey = new Command('token-key').description('the key that seals bot tokens and second factors')
  tokenKey
    .command('rotate')
    .description('seal every secret with a new key, and forget the former ones')
    .addHelpText('after', HELP)
    .action((options: Json) => {
      const { dataDir, tokenKey: fromEnvironment } = context.config()
      const former = readKeyFile(dataDir) ?? []
      const newest = fromEnvironment ?? newKey()
      // Both are there until every token is sealed with the new one, so that this may be interrupted at any point.
      if (!fromEnvironment) replaceKeys(dataDir, [newest, ...former])
      const secrets = resealAll(context.database(), context.vault())
      replaceKeys(dataDir, fromEnvironment ? [] : [newest])
      const result = { secrets, keyId: context.vault().keyId }
      context.show(options, result, fields(result))
    })
  return tokenKey
}
