import { start as startOceanic } from './oceanic.mjs'

/** The same with a compressed gateway, as its documentation says: one stream of zlib for the whole session. */
export const start = (options) => startOceanic(options, { compress: 'zlib-stream' })
