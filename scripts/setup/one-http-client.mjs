// Makes the package undici the client behind the global `fetch`, for `--import`. Node.js has a copy of its own, which takes 2.3 MiB
// of each thread's heap beside the package that all our requests go through. Nothing is loaded before it is used.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

for (const name of [
  'fetch',
  'CloseEvent',
  'EventSource',
  'FormData',
  'Headers',
  'MessageEvent',
  'Request',
  'Response',
  'WebSocket',
]) {
  // To read or to define it first would load Node.js' copy.
  delete globalThis[name]
  const become = (value) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: false, writable: true })
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get() {
      become(require('undici')[name])
      return globalThis[name]
    },
    set: become,
  })
}

// An `import` of `node:http` reads all that the module exports: these three load the copy.
const http = process.getBuiltinModule('node:http')
for (const name of ['CloseEvent', 'MessageEvent', 'WebSocket']) delete http[name]
