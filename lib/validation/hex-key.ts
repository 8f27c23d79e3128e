import { z } from 'zod'

/** A key of 32 bytes, as settings have it. */
export const hexKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'Must be 64 hex digits (32 bytes). Generate them: openssl rand -hex 32')
