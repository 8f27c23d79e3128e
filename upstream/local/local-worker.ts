import { parentPort } from 'node:worker_threads'
import { detectLanguage, importDetector, type Detector } from './detect.ts'
import { listCountries, listHolidays, timeZoneOf } from './holidays.ts'
import type { DetectionModel, LoadingMessage, ResultMessage, Task, TaskMessage, TaskResults } from './protocol.ts'

async function perform(task: Task): Promise<TaskResults[Task['task']]> {
  switch (task.task) {
    case 'detect':
      return detectLanguage(task.text, task.model, loadDetector)
    case 'loadModel':
      await loadDetector(task.model)
      return null
    case 'countries':
      return listCountries()
    case 'holidays':
      return listHolidays(task.place, task.year, task.language)
    case 'timeZone':
      return timeZoneOf(task.place)
    case 'books': {
      const { findBook } = await import('./book-names.ts')
      return Promise.all(task.names.map((name) => findBook(name, task.languages)))
    }
  }
}

const detectors = new Map<DetectionModel, Promise<Detector>>()

/** Tells the main thread before it begins: data is evaluated in one go, in which nothing else is sent. */
async function loadDetector(model: DetectionModel): Promise<Detector> {
  const known = detectors.get(model)
  if (known) return known
  tell({ isLoading: true })
  const loading = importDetector(model).finally(() => tell({ isLoading: false }))
  detectors.set(model, loading)
  return loading
}

parentPort?.on('message', ({ id, task }: TaskMessage) => {
  perform(task).then(
    (result) => reply({ id, result }),
    (error: unknown) => reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})

function reply(message: ResultMessage): void {
  parentPort?.postMessage(message)
}

function tell(message: LoadingMessage): void {
  parentPort?.postMessage(message)
}

tell({ isLoading: false })
