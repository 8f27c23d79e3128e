import { z } from 'zod'

const NAME = /^[\w.-]{1,40}$/
const FORM =
  'Must be http://:PASSWORD@HOST:PORT of an audio node (npm run node), optionally after NAME=, comma-separated.'

const nodes = z.string().transform((text, context) => {
  const entries = text.split(',').map((entry) => entry.trim())
  const read = entries.filter((entry) => entry !== '').map(toNode)
  const found = read.filter((node) => node !== null)
  if (found.length < read.length) context.addIssue({ code: 'custom', message: FORM })
  if (new Set(found.map(({ id }) => id)).size < found.length) {
    context.addIssue({ code: 'custom', message: 'Has the same node twice.' })
  }
  return found
})

function toNode(entry: string) {
  const [, name, address = entry] = /^([^=:/]+)=(.+)$/.exec(entry) ?? []
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.password === '' || url.pathname !== '/') return null
  if (name !== undefined && !NAME.test(name)) return null
  return {
    id: name ?? url.host,
    url: url.origin,
    password: decodeURIComponent(url.password),
  }
}

/** The variables of audio nodes; `.env.example` explains each. */
export const AUDIO_NODES_ENV = {
  AUDIO_NODES: nodes.default([]),
  AUDIO_FILES_URL: z.url({ protocol: /^https?$/ }).optional(),
}
