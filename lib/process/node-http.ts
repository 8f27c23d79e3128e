/**
 * Values of `node:http`. An `import` of that module reads all that it exports; `WebSocket` and two more load the client behind
 * the global `fetch`, which takes 2.3 MiB of the heap. The main thread has it anyway, by discord.js.
 */
export const http = process.getBuiltinModule('node:http')
