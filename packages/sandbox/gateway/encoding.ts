import { parseJson } from '../http/json.ts'
import { decodeEtf, encodeEtf } from './etf.ts'

/** Format of payloads on a socket: `encoding` of its address. */
export type Encoding = 'json' | 'etf'

interface Codec {
  /** @param json a payload as JSON, as sessions keep them */
  readonly encode: (json: string) => string | Buffer
  /** @throws for what is not in this encoding. */
  readonly decode: (data: Buffer) => unknown
}

export const ENCODINGS: Readonly<Record<Encoding, Codec>> = {
  json: { encode: (json) => json, decode: (data) => parseJson(data.toString('utf8')) },
  etf: { encode: (json) => encodeEtf(JSON.parse(json)), decode: decodeEtf },
}

export const isEncoding = (name: string): name is Encoding => Object.hasOwn(ENCODINGS, name)
