import type { Context } from 'koa'

const policy = (frameAncestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/** Origins that Discord's app embeds an Activity in: its own pages, and the one that it serves the Activity from. */
const DISCORD_FRAMES = [
  'https://discord.com',
  'https://ptb.discord.com',
  'https://canary.discord.com',
  'https://discordapp.com',
  'https://*.discordsays.com',
].join(' ')

const COMMON = {
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const

/** No other site may show the page. */
export function setPageHeaders(ctx: Context): void {
  ctx.set({ ...COMMON, 'Content-Security-Policy': policy("'none'") })
  ctx.set({ 'Cross-Origin-Opener-Policy': 'same-origin', 'X-Frame-Options': 'DENY' })
}

/** Only Discord may show the page. Its app finds the parent window by the referrer, so one is sent. */
export function setActivityHeaders(ctx: Context): void {
  ctx.remove('X-Frame-Options')
  ctx.remove('Cross-Origin-Opener-Policy')
  ctx.set({ ...COMMON, 'Content-Security-Policy': policy(DISCORD_FRAMES) })
}
