import { serveTasks } from '../../../lib/workers/serve-tasks.ts'
import { drawFigure, type FigureSpec } from '../figure.ts'
import type { Pixels } from './rasterise.ts'

serveTasks<FigureSpec, Pixels>(drawFigure, ({ rgba }) => [rgba.buffer])
