// The work on pictures, for a process of its own: sharp and the canvas load here.
export { decode, inspect, shutLoaders, type Inspected } from './codec/decode.ts'
export { direct } from './codec/direct-pipeline.ts'
export { encode } from './codec/encode.ts'
export { perform } from './perform.ts'
