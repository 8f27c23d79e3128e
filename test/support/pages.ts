import { expect } from 'chai'
import type { RequestListener } from 'node:http'
import sharp from 'sharp'
import { JobFailure } from '../../jobs/queue/job.ts'

/** Answers with a page made for phones as well, without margins. */
export function page(body: string, head = ''): RequestListener {
  return (_, reply) => {
    reply.setHeader('content-type', 'text/html; charset=utf-8')
    reply.end(
      `<!doctype html><meta name=viewport content="width=device-width">${head}<body style="margin:0">${body}</body>`,
    )
  }
}

/** A square of one colour. */
export function square(colour: string): RequestListener {
  return (_, reply) => {
    reply.setHeader('content-type', 'image/svg+xml')
    reply.end(
      `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><path fill="${colour}" d="M0 0h50v50H0"/></svg>`,
    )
  }
}

/** The failure that a job reports to its caller. */
export async function jobFailureOf(promise: Promise<unknown>): Promise<JobFailure> {
  const outcome = await promise.then(
    () => 'a result',
    (error: unknown) => error,
  )
  expect(outcome, String(outcome)).to.be.instanceOf(JobFailure)
  return outcome as JobFailure
}

/** Colour of a pixel as six hexadecimal digits. */
export async function colourAt(picture: Buffer, left: number, top: number): Promise<string> {
  const point = sharp(picture).extract({ left, top, width: 1, height: 1 })
  return (await point.removeAlpha().raw().toBuffer()).toString('hex')
}
