/** Returns why the member may not do something (null: they may), and whether it takes a vote. */
export function rightTo(me, action) {
  return [me?.rights.refused[action] ?? null, me?.rights.byVote.includes(action) ?? false]
}
