import { bareId } from '../core/custom-id.ts'

export const ADD_ID = bareId('add')
