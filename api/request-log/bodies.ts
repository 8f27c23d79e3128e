import { withoutSecrets, type KeptBodies } from '../../lib/request-log/kept-bodies.ts'
import { isNestedDeeper } from '../../lib/validation/nesting.ts'
import { MAX_DEPTH } from '../http/body/body.ts'
import type { ApiContext } from '../http/request-state.ts'

/** Query, body and answer of a request that failed, as far as they are kept. */
export function bodiesOf({ req, request, state, querystring }: ApiContext): KeptBodies {
  const { 'content-length': length = '0', 'content-type': type = '', 'transfer-encoding': transfer } = req.headers
  const { body: read } = request as { readonly body?: unknown }
  const isUpload = state.route?.upload === true || type.startsWith('multipart/')
  const isKept = !isUpload && read !== undefined && !isNestedDeeper(read, MAX_DEPTH)
  const body = !isKept ? null : typeof read === 'string' ? read : JSON.stringify(read)
  const kept = withoutSecrets(querystring, body, state.refusal)
  // A route without inputs in its body reads none.
  const isExpected = state.route === null || state.route.body !== undefined
  const isUnread = !isKept && isExpected && (length !== '0' || transfer !== undefined)
  return { ...kept, lacks: isUpload ? 'upload' : isUnread ? 'unread' : kept.lacks }
}
