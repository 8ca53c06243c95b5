/** A file or typed text is checked first; a second submit of the same text imports it. */
import { data } from '@remix-run/node'
import { refusalOf } from '#app/api/refuse.server.ts'
import { figures } from '#app/domain/text/figures.ts'
import { readTextFile } from '#app/domain/text/text-file.ts'
import { reason } from './reason.server.ts'

/** The text is returned with the report, so that nothing has to be chosen again. */
export type ImportAnswer<Report> = { report?: Report; isRight?: boolean; text?: string; problem?: string }
type Looked<Report> = Required<Pick<ImportAnswer<Report>, 'report' | 'isRight'>>

export async function checkImport<Report>(
  request: Request,
  limit: number,
  work: (text: string, isSure: boolean) => Promise<Response | Looked<Report>>,
) {
  const answer = (status: number, said: ImportAnswer<Report>) => data(said, { status })
  const formData = await request.formData()
  const chosen = await chosenText(formData)
  if ('problem' in chosen) return answer(422, { problem: chosen.problem })
  const { text, isTyped } = chosen
  const problem = problemOf(text, limit)
  if (problem) return answer(422, { problem, text: text.slice(0, limit) })
  try {
    const done = await work(text, formData.get('sure') === 'true' && isTyped)
    return done instanceof Response ? done : answer(done.isRight ? 200 : 422, { ...done, text })
  } catch (error) {
    return answer(refusalOf(error).status, { problem: await reason(error), text })
  }
}

type Chosen = { text: string; isTyped: boolean } | { problem: string }

const WORKBOOK = /\.(xls[xmb]?|ods|numbers)$/i

/** A file takes precedence. */
async function chosenText(formData: FormData): Promise<Chosen> {
  const file = formData.get('file')
  const typed = String(formData.get('text') ?? '').replace(/\r\n?/g, '\n')
  if (!(file instanceof File) || file.size === 0) return { text: typed, isTyped: true }
  const read = readTextFile(new Uint8Array(await file.arrayBuffer()))
  if ('problem' in read)
    return {
      problem: `${file.name}: ${WORKBOOK.test(file.name) ? 'Please save the table as CSV first.' : read.problem}`,
    }
  const text = read.text.replace(/\r\n?/g, '\n')
  return { text, isTyped: text === typed }
}

function problemOf(text: string, limit: number): string | null {
  if (text.trim() === '') return 'Please choose a file or paste its text.'
  return text.length > limit ? `This file is too long: at most ${figures(limit)} characters.` : null
}
