import { X509Certificate } from 'node:crypto'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createCertificate } from 'bandstand-sandbox/certificate'

describe('the stand-in certificate', () => {
  it('lets a client that trusts it, and only it, connect to localhost', async () => {
    const { key, cert } = await createCertificate()
    const server = createServer({ key, cert }, (socket) => socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client: TLSSocket = connect({ port, host: 'localhost', ca: cert })
    await once(client, 'secureConnect')
    expect(client.authorized).to.equal(true)
    client.destroy()
    server.close()
  })

  it('is different each time, valid now and for a year', async () => {
    const [one, other] = await Promise.all([createCertificate(), createCertificate()])
    expect(one.key).not.to.equal(other.key)
    const read = new X509Certificate(one.cert)
    expect(new Date(read.validFrom).getTime()).to.be.lessThan(Date.now())
    expect(new Date(read.validTo).getTime()).to.be.greaterThan(Date.now() + 300 * 86_400_000)
    expect(read.checkHost('localhost')).to.equal('localhost')
    expect(read.checkIP('127.0.0.1')).to.equal('127.0.0.1')
  })
})
