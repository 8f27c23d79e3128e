import { make } from './dom.js'

/** A face by the first letter, in one of a few colours that white letters can be read on. */
export function avatar({ id, name }, facts = {}) {
  const tone = Number(BigInt(id) % 7n)
  const element = make('span', { className: 'face', aria: { hidden: true }, ...facts }, name.slice(0, 1).toUpperCase())
  element.dataset.tone = String(tone)
  return element
}
