import { announce, find, make, words } from './page.js'
import { perform } from './connection.js'

// Votes that listeners are asked to agree to.
const list = find('[data-votes]')
let shown = ''

export function showVotes(player, me) {
  const votes = player?.votes ?? []
  const state = JSON.stringify([votes, me?.userId])
  if (state === shown) return
  shown = state
  const focused = document.activeElement?.dataset.vote
  const fresh = votes.filter(({ id }) => !list.querySelector(`[data-vote="${id}"]`))
  list.replaceChildren(...votes.map((vote) => row(vote, me)))
  list.hidden = votes.length === 0
  list.querySelector(`[data-vote="${focused}"]`)?.focus()
  for (const vote of fresh) announce(`${words.vote}: ${titleOf(vote)}`)
}

const titleOf = ({ questions }) => questions[document.documentElement.lang]

function row(vote, me) {
  const hasVoted = me !== null && vote.voterIds.includes(me.userId)
  const button = make(
    'button',
    { type: 'button', class: 'button small primary', 'data-vote': vote.id, 'aria-disabled': hasVoted },
    hasVoted ? words.agreed : words.agree,
  )
  button.addEventListener('click', () => hasVoted || void perform('agree', { vote: vote.id }))
  const count = make('small', {}, `${vote.voterIds.length} / ${vote.votesNeeded}`)
  return make('li', {}, make('span', { class: 'names' }, make('b', {}, titleOf(vote)), count), button)
}
