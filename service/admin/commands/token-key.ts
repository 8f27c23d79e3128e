import { Command } from 'commander'
import { resealAll } from '../../../db/engine/reseal.ts'
import { newKey, readKeyFile, replaceKeys } from '../../../db/engine/token-keys.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields } from '../words.ts'

const HELP = `
Without TOKEN_KEY, this creates a new key in DATA_DIR/token.key; a running service picks it up. With TOKEN_KEY: write the
previous key as a line into token.key (mode 600), set TOKEN_KEY to a new one (openssl rand -hex 32), run this, and restart
the service. Older backups need the previous key, so keep it as long as you keep them.`

/** The key under which the tokens of all bots, and other secrets, are sealed. */
export function tokenKeyCommand(context: AdminContext): Command {
  const tokenKey = new Command('token-key').description(
    'manage the key that encrypts bot tokens and two-factor secrets',
  )
  tokenKey
    .command('rotate')
    .description('encrypt all secrets with a new key, and delete the previous keys')
    .addHelpText('after', HELP)
    .action(async (options: Json) => {
      const { dataDir, tokenKey: fromEnvironment } = context.config()
      const former = readKeyFile(dataDir) ?? []
      const newest = fromEnvironment ?? newKey()
      // The file has both keys until every token is sealed with the new one, so this may be interrupted at any point.
      if (!fromEnvironment) replaceKeys(dataDir, [newest, ...former])
      const secrets = await resealAll(context.store(), context.vault())
      replaceKeys(dataDir, fromEnvironment ? [] : [newest])
      const result = { secrets, keyId: context.vault().keyId }
      context.show(options, result, fields(result))
    })
  return tokenKey
}
