import { readFile, readdir } from 'node:fs/promises'
import { expect } from 'chai'
import { Fault, unprocessable } from '../../../lib/errors.ts'
import { withRequestField } from '../../../api/http/fault-fields.ts'

/** Folders that know reasons and no requests. */
const BELOW = ['api/webhooks', 'bot', 'db', 'jobs', 'lib', 'service', 'upstream']

describe('fields of refused inputs', () => {
  it('names the field that the request gives, else the first', () => {
    const fault = unprocessable('unplayable', 'Gone.')
    const message = 'Gone.'
    expect(named(fault, { body: { track: { encoded: 'x' } } })).to.deep.equal([
      { field: 'body.track.encoded', message },
    ])
    expect(named(fault, { query: { encoded: 'x' } })).to.deep.equal([{ field: 'query.encoded', message }])
    expect(named(fault, {})).to.deep.equal([{ field: 'body.query', message }])
  })

  it('takes the name that the route gave to one of several inputs', () => {
    const fault = unprocessable('picture_too_large', 'Too large.', 'query.url2')
    expect(named(fault, { query: { size: 64 } })).to.deep.equal([{ field: 'query.url2', message: 'Too large.' }])
  })

  it('says the field in the message of a bad request, whose answer may hold nothing else', () => {
    const { code, message } = withRequestField(
      new Fault('bad_request', 'No city.', { reason: 'invalid_city' }),
      {},
    ) as Fault
    expect([code, message]).to.deep.equal(['bad_request', 'query.city: No city.'])
  })

  it('leaves everything else as it is', () => {
    const conflict = new Fault('conflict', 'Nothing is playing.', { reason: 'nothing_playing' })
    const told = new Fault('validation_error', 'x', { details: [{ field: 'body', message: 'x' }] })
    for (const thrown of [conflict, told, new Error('bug')]) expect(withRequestField(thrown, {})).to.equal(thrown)
  })

  it('are named nowhere below the API', async () => {
    const files = await Promise.all(
      BELOW.map((folder) => readdir(folder, { recursive: true }).then((all) => all.map((file) => `${folder}/${file}`))),
    )
    const guilty: string[] = []
    for (const file of files.flat().filter((name) => name.endsWith('.ts'))) {
      if (/['"`](?:body|path|query)\.[a-zA-Z]/.test(await readFile(file, 'utf8'))) guilty.push(file)
    }
    expect(guilty).to.deep.equal([])
  })
})

function named(fault: Fault, request: unknown) {
  return (withRequestField(fault, request) as Fault).details
}
