/**
 * Loaded before a service (`NODE_OPTIONS=--import`), in each of its threads: the time of day is off by as many
 * milliseconds as the file FAULTS_CLOCK says, and follows when the file changes, as after someone set the machine's
 * clock. What never steps (timers, `performance.now()`) is left alone, as the system leaves it.
 */
import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 50
const RealDate = Date
const realNow = Date.now
const file = process.env['FAULTS_CLOCK'] ?? ''

let shiftMs = read()
setInterval(() => (shiftMs = read()), LOOK_EVERY_MS).unref()

const now = (): number => realNow() + shiftMs
const Shifted = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
RealDate.prototype.constructor = Shifted
globalThis.Date = Shifted

function read(): number {
  return Number(readFileSync(file, 'utf8'))
}
