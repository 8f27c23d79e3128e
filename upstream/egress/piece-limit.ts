import { DecoratorHandler, type Dispatcher } from 'undici'
import { createPieceCount, STREAM_PIECES, TooManyPieces } from '../../lib/buffers.ts'

/**
 * Ends answers that come in pieces of a few bytes. The parser hands on each piece by itself, thousands within one turn of the
 * thread; a reader, whose stream joins them, would notice nothing.
 */
export const limitPieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, new PieceLimit(handler))

class PieceLimit extends DecoratorHandler {
  readonly #pieces = createPieceCount(STREAM_PIECES)
  readonly #handler: Dispatcher.DispatchHandler

  constructor(handler: Dispatcher.DispatchHandler) {
    super(handler)
    this.#handler = handler
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    // undici ends the request with what its handler throws.
    if (!this.#pieces.add(piece)) throw new TooManyPieces()
    this.#handler.onResponseData?.(controller, piece)
  }
}
