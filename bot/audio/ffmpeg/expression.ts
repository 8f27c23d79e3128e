/** A number as ffmpeg reads it: never with an exponent. */
export function number(value: number): string {
  const digits = value.toFixed(12)
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end)
}
