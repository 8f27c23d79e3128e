/**
 * Opens a link that signs in once, as a browser does: that of the demo answers with the session, others with a page that has
 * a form. @returns the cookies of the session
 */
export async function enterLink(link: string): Promise<string> {
  const shown = await fetch(link, { redirect: 'manual' })
  if (shown.status === 303) return cookiesOf(shown)
  const form = await shown.text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)?.[1] ?? ''
  const entered = await fetch(link.split('?')[0] ?? '', {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(shown) },
    body: new URLSearchParams({ csrf: field('csrf'), token: field('token') }),
  })
  return cookiesOf(entered)
}

export function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
