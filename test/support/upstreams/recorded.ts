import type { Reply, StandIn } from './stand-in.ts'

export type Env = Readonly<Record<string, string>>

export interface Case {
  readonly name: string
  /** Starts the stand-in with a success, in the shape in which the service answers programs of others. */
  readonly start: () => Promise<StandIn>
  /** Response that turns programs away: its status, and the body that comes with it. */
  readonly refusal: Reply
  /** Response after a change that broke clients, or another answer in its place. */
  readonly changed: Reply
}

const html = (title: string, more: Omit<Reply, 'text'> = {}): Reply => ({
  ...more,
  text: `<!DOCTYPE html><html lang="en-US"><head><title>${title}</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript></body></html>`,
  headers: { 'content-type': 'text/html; charset=UTF-8', ...more.headers },
})
/** Cloudflare's page for what it takes for a robot; Fastly's; and what nginx says before a service that is away. */
export const JUST_A_MOMENT = html('Just a moment...', {
  status: 403,
  headers: { 'cf-mitigated': 'challenge', server: 'cloudflare' },
})
export const CLIENT_CHALLENGE = html('Client Challenge')
export const ACCESS_DENIED = html('Access Denied', { status: 403, headers: { server: 'AkamaiGHost' } })
/** An application of the web that took over the address of the API. */
export const NEW_SITE = html('Welcome')
export const json = (value: unknown, status = 200): Reply => ({ status, json: value })
