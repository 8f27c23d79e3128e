// The effects by name with their parameters, and what pictures may be. Nothing here loads a library that draws.
export { describe, EFFECTS, findEffect, type EffectFacts, type ParameterFacts } from './catalogue.ts'
export type { Frame, ImageResult, OutputFormat, Picture, WantedFormat } from './codec/picture.ts'
export type { Drawn, Effect, EffectContext, EffectParams } from './declaration.ts'
export { LIMITS } from './limits.ts'
export { Refusal, type RefusalReason } from './refusal.ts'
