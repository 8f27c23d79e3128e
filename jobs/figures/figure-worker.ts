import { drawFigure, type FigureSpec, type Pixels } from 'bandstand-figures'
import { serveTasks } from '../../lib/workers/serve-tasks.ts'

serveTasks<FigureSpec, Pixels>(drawFigure, ({ rgba }) => [rgba.buffer])
