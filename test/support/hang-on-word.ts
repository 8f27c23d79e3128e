/**
 * Loaded before a service (`NODE_OPTIONS=--import`), in each of its threads: a playlist in XML that says `HANG` blocks
 * the thread that parses it, as an input does that meets a fault in a parser.
 */
import { SaxesParser } from 'saxes'

const { prototype } = SaxesParser
const write = Reflect.get(prototype, 'write') as (this: SaxesParser, chunk: unknown) => SaxesParser
prototype.write = function (chunk) {
  if (typeof chunk === 'string' && chunk.includes('HANG')) for (;;);
  return write.call(this, chunk)
}
