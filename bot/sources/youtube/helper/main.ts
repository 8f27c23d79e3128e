import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { createInnertube } from './innertube.ts'
import { createPages } from './pages.ts'
import { Refused, type Answering } from './handlers.ts'
import { createTokenRequests } from './token-requests.ts'
import type { FromHelper, YoutubeLibrary, ToHelper } from './protocol.ts'

// A process of its own for libraries that speak YouTube's language and for what YouTube itself makes them run. It may
// read its own code and nothing else, write nothing and start nothing, and knows none of the service's environment.

const tokens = createTokenRequests((message) => send(message))
let answering: Readonly<Record<YoutubeLibrary, Answering>> | null = null

process.on('message', (message: ToHelper) => {
  if ('granted' in message) return tokens.settle(message.granted, message.token)
  if (!('settings' in message)) return void answer(message)
  const { settings } = message
  const egress = createEgress({ allowHosts: settings.allowHosts })
  const means = { egress, settings, token: tokens.request, onStreams: send }
  answering = { youtubei: createInnertube(means), 'play-dl': createPages(egress, settings) }
  send({ ready: true })
})
// The service is gone, however it ended.
process.on('disconnect', () => process.exit(0))

async function answer({ id, library, ask }: Extract<ToHelper, { id: number }>): Promise<void> {
  try {
    send({ id, answer: await answering?.[library](ask) })
  } catch (error) {
    const kind = error instanceof Refused ? 'refused' : 'broken'
    send({ id, failure: { kind, reason: String(error instanceof Error ? error.message : error).slice(0, 500) } })
  }
}

function send(message: FromHelper): void {
  process.send?.(message)
}
