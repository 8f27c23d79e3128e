import { parentPort } from 'node:worker_threads'
import { Fault } from '../../lib/errors.ts'
import { loadOptional } from '../../lib/process/optional-package.ts'
import { detectLanguage, importDetector, type Detector } from './detect.ts'
import type { DetectionModel, LoadingMessage, ResultMessage, LocalTask, TaskMessage, TaskResults } from './protocol.ts'

async function perform(task: LocalTask): Promise<TaskResults[LocalTask['task']]> {
  switch (task.task) {
    case 'detect':
      return detectLanguage(task.text, task.model, loadDetector)
    case 'countries':
      return (await loadHolidays()).listCountries()
    case 'holidays':
      return (await loadHolidays()).listHolidays(task.place, task.year, task.language)
    case 'timeZone':
      return (await loadHolidays()).timeZoneOf(task.place)
    case 'books': {
      const { findBook } = await loadOnce('books', () =>
        loadOptional('Names of books', () => import('./book-names.ts')),
      )
      return Promise.all(task.names.map((name) => findBook(name, task.languages)))
    }
  }
}

const loaded = new Map<string, Promise<unknown>>()
let loading = 0

function loadHolidays() {
  return loadOnce('holidays', () => loadOptional('Holidays', () => import('./holidays.ts')))
}

function loadDetector(model: DetectionModel): Promise<Detector> {
  return loadOnce(model, () => loadOptional('Language detection', () => importDetector(model)))
}

/** Tells the main thread before it begins: data is evaluated in one go, in which nothing else is sent. */
function loadOnce<T>(name: string, load: () => Promise<T>): Promise<T> {
  const known = loaded.get(name) as Promise<T> | undefined
  if (known) return known
  loading++
  tell({ isLoading: true })
  const fresh = load().finally(() => tell({ isLoading: --loading > 0 }))
  loaded.set(name, fresh)
  return fresh
}

parentPort?.on('message', ({ id, task }: TaskMessage) => {
  perform(task).then(
    (result) => reply({ id, result }),
    (error: unknown) => {
      if (error instanceof Fault) return reply({ id, missing: error.message })
      reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    },
  )
})

function reply(message: ResultMessage): void {
  parentPort?.postMessage(message)
}

function tell(message: LoadingMessage): void {
  parentPort?.postMessage(message)
}

tell({ isLoading: false })
