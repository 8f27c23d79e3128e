// While something waits or is being made, looks every two seconds and puts in what changed. Without this there is a button.
const EVERY_MS = 2000
const OVER = '[data-status=completed], [data-status=failed]'
const gallery = document.querySelector('[data-gallery]')

async function look() {
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(10_000) })
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-gallery]')
    // Without a session the answer is another page.
    if (!fresh) return
    // Finished jobs keep their elements, so no picture is loaded again.
    const over = new Map([...gallery.querySelectorAll(OVER)].map((item) => [item.dataset.job, item]))
    const items = [...fresh.children].map((item) => over.get(item.dataset.job) ?? item)
    gallery.replaceChildren(...items)
  } catch {
    // Away for a moment; the next look may find it again.
  }
  lookAgain()
}

function lookAgain() {
  if (gallery?.querySelector('[data-status]:not([data-status=completed], [data-status=failed])')) setTimeout(lookIfSeen, EVERY_MS)
}

function lookIfSeen() {
  if (document.hidden) document.addEventListener('visibilitychange', lookIfSeen, { once: true })
  else void look()
}

lookAgain()
