import { address, find, setRefusal, words } from './player-page.js'
import { left, movePosition, openControls, showParts, showState } from './player-now.js'
import { openFind } from './player-find.js'
import { openQueue, takeQueue } from './player-queue.js'

// The page of one player works without this. It brings what has changed, as it happens, and sends without leaving the page.
const badge = find('[data-live]')

openControls()
openFind()
openQueue()

const source = new EventSource(`${address}/live`)
source.addEventListener('open', () => (badge.hidden = false))
source.addEventListener('error', () => (badge.hidden = true))
source.addEventListener('message', ({ data }) => {
  const { state, parts, position, queue, gone } = JSON.parse(data)
  if (gone) {
    source.close()
    return left()
  }
  if (parts) showParts(parts)
  if (state) showState(state)
  if (position) movePosition(position)
  if (queue) takeQueue(queue)
})
addEventListener('offline', () => setRefusal(words.offline))
addEventListener('online', () => setRefusal(null))
