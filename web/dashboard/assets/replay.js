// Sends a failed request again for real: the browser calls the API with a key that it is given for a few minutes, and the
// secrets that the log left out are entered here and go nowhere else.
document.addEventListener('submit', (event) => {
  const part = event.target.closest('[data-replay]')
  if (!part || event.target.method === 'dialog') return
  event.preventDefault()
  const dialog = part.querySelector('dialog')
  if (!dialog) return void replay(part)
  dialog.returnValue = ''
  dialog.addEventListener('close', () => dialog.returnValue === 'yes' && void replay(part), { once: true })
  dialog.showModal()
})

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The address and the body, with the secrets that were entered. */
function filled({ path, query, body, hidden }, fields) {
  const json = body === null ? undefined : parsed(body)
  const sent = { query, body: json }
  for (const [i, { at, isText }] of hidden.entries()) {
    const { value } = fields[`hidden-${i}`]
    const place = at.slice(0, -1).reduce((within, name) => within[name], sent)
    place[at.at(-1)] = isText ? value : (parsed(value) ?? value)
  }
  const parameters = new URLSearchParams(sent.query).toString()
  return { target: parameters && `?${parameters}`, text: json === undefined ? body : JSON.stringify(sent.body), path }
}

async function replay(part) {
  const call = JSON.parse(part.dataset.replay)
  const { project, like, method } = call
  const form = part.querySelector('form')
  const problem = form.querySelector('.problem')
  const button = form.querySelector('button')
  problem.hidden = button.disabled = true
  try {
    const body = new URLSearchParams({ csrf: form.elements.csrf.value, project, like })
    const { key, problem: why } = await (await fetch('/dashboard/trial-key', { method: 'POST', body })).json()
    if (!key) throw new Error(why)
    const { path, target, text } = filled(call, form.elements)
    const headers = { Authorization: `Bearer ${key}`, ...(text !== null && { 'Content-Type': 'application/json' }) }
    const startedAt = performance.now()
    const answer = await fetch(path + target, { method, headers, body: text, signal: AbortSignal.timeout(120_000) })
    show(part.querySelector('[data-result]'), answer, await answer.text(), performance.now() - startedAt)
  } catch ({ message }) {
    problem.textContent = problem.dataset[message] ?? problem.dataset.failed
    problem.hidden = false
  }
  button.disabled = false
}

function show(result, { status, headers }, text, ms) {
  const [chip, took, row, code] = result.querySelectorAll('[data-status], [data-took], [data-row], code')
  chip.textContent = status
  chip.className = `chip ${status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}`
  took.textContent = `${Math.round(ms)} ms`
  row.href = row.dataset.row + headers.get('x-request-id')
  const json = parsed(text)
  code.textContent = json === undefined ? text : JSON.stringify(json, null, 2)
  result.hidden = false
}
