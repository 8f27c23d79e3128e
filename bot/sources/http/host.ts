/** `host:port` of an address, as `Egress.allowing` and the audio thread take it. */
export function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}
