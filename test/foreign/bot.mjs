/**
 * One bot of a foreign library, in a process of its own: the first argument names the library. The test tells it what
 * to do, and hears what it was told by Discord.
 */
const [, , name] = process.argv
const { start } = await import(`./libraries/${name}.mjs`)

const tell = (what, detail) => process.send({ told: { what, detail } })
let bot

process.on('message', async ({ id, call, args }) => {
  try {
    if (call === 'start') bot = await start({ ...args[0], tell })
    const result = call === 'start' ? { userId: bot.userId } : await bot[call](...args)
    process.send({ id, result: result ?? null })
  } catch (error) {
    process.send({ id, error: error?.stack ?? String(error) })
  }
})
process.on('disconnect', () => process.exit())
process.on('unhandledRejection', (error) => tell('error', error?.stack ?? String(error)))
