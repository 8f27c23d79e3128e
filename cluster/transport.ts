import type { Redis } from 'ioredis'
import { MAX_MESSAGE_LENGTH, parseMessage, type Message } from './messages.ts'
import type { Signing } from './signing.ts'

/** Signed messages between the services of an installation, over two connections to Redis that it does not close. */
export interface Transport {
  readonly id: string
  readonly isReady: boolean
  /** Messages that none of our services wrote, or that are of no known form. */
  readonly refused: number
  /** @param body the fields of the message, `"type":"…",…`, as JSON without braces. @throws while Redis is away. */
  send(channel: string, body: string): Promise<void>
  close(): void
}

export interface TransportOptions {
  /** For commands; fails what it cannot send at once. */
  readonly redis: Redis
  /** For messages; a connection of its own. */
  readonly subscriber: Redis
  readonly prefix: string
  readonly signing: Signing
  readonly onMessage: (message: Message) => void
  /** It listens again: messages sent meanwhile are lost. */
  readonly onListening: () => void
  readonly onError: (error: unknown) => void
}

export function allChannel(prefix: string): string {
  return `${prefix}:all`
}

export function openTransport(options: TransportOptions): Transport {
  const { redis, subscriber, prefix, signing } = options
  // Another one at each start: services that knew the former one restart their count.
  const id = crypto.randomUUID()
  let seq = 0
  let refused = 0

  function take(channel: string, signed: string): void {
    const text = signed.length > MAX_MESSAGE_LENGTH ? null : signing.check(channel, signed)
    const message = text === null ? null : parseMessage(text)
    if (!message) refused += 1
    else if (message.from !== id) options.onMessage(message)
  }
  function onText(channel: string, signed: string): void {
    try {
      take(channel, signed)
    } catch (error) {
      options.onError(error)
    }
  }
  function onReady(): void {
    subscriber.subscribe(allChannel(prefix)).then(options.onListening, (error: unknown) => {
      // It was lost again already, and comes back; without a lost connection nothing else would try again.
      if (subscriber.status === 'ready') subscriber.disconnect(true)
      options.onError(error)
    })
  }
  subscriber.on('message', onText)
  subscriber.on('ready', onReady)
  if (subscriber.status === 'ready') onReady()

  return {
    id,
    get isReady() {
      return redis.status === 'ready'
    },
    get refused() {
      return refused
    },
    async send(channel, body) {
      seq += 1
      await redis.publish(channel, signing.sign(channel, `{"from":"${id}","seq":${seq},${body}}`))
    },
    close() {
      subscriber.off('message', onText)
      subscriber.off('ready', onReady)
    },
  }
}
