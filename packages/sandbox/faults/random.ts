/** One step of a generator that repeats with its seed: a number from 0 up to 1, and the state for the next step. */
export function draw(state: number): { readonly value: number; readonly state: number } {
  // A linear congruence, whose low bits are weak: only the high ones are used, after they were mixed into each other.
  const next = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  const mixed = Math.imul(next ^ (next >>> 16), 0x9e_37_79_b1) >>> 0
  return { value: (mixed >>> 4) / 2 ** 28, state: next }
}
