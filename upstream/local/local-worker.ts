import { parentPort } from 'node:worker_threads'
import { detectLanguage } from './detect.ts'
import { listCountries, listHolidays, timeZoneOf } from './holidays.ts'
import type { ResultMessage, Task, TaskMessage, TaskResults } from './protocol.ts'

async function perform(task: Task): Promise<TaskResults[Task['task']]> {
  switch (task.task) {
    case 'detect':
      return detectLanguage(task.text, task.model)
    case 'countries':
      return listCountries()
    case 'holidays':
      return listHolidays(task.place, task.year, task.language)
    case 'timeZone':
      return timeZoneOf(task.place)
    case 'books': {
      const { findBook } = await import('./book-names.ts')
      return task.names.map((name) => findBook(name))
    }
  }
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
