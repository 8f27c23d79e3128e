import { z } from 'zod'

/** A new password. No rules on what signs it has: length is what counts. */
export function newPassword(w: { readonly short: string; readonly long: string }): z.ZodString {
  return z.string().min(12, w.short).max(200, w.long)
}

/** Whether an attacker who knows the name would try it among the first. */
export function isGuessable(password: string, name: string): boolean {
  const plain = password.toLowerCase()
  const ownName = name.trim().toLowerCase()
  const rest = ownName.length >= 3 ? plain.replaceAll(ownName, '') : plain
  return (
    rest.length < 6 || new Set(rest).size < 4 || /^(?:password|bandstand|123456789|qwertz|qwerty)[\d!]*$/.test(rest)
  )
}
