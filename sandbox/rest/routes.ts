import { ACCOUNT_ROUTES } from './accounts.ts'
import type { Route } from './route.ts'

/** Everything of Discord's REST interface that a music bot uses. */
export const ROUTES: readonly Route[] = [...ACCOUNT_ROUTES]
