import { encodePath } from '../encode-path.ts'

type Params = { readonly [name: string]: string | undefined }

export const listOf = ({ journeyId }: Params): string => encodePath`/lljs/${journeyId}/assessments/`
export const editorOf = (params: Params, id: number): string => `${listOf(params)}edit/${id}`
export const learnerOf = ({ journeyId, userId }: Params): string =>
  encodePath`/lljs/${journeyId}/assessments/${userId}`

const ID = /^[1-9]\d{0,14}$/
const ITEM = /^([1-9]\d{0,14}|scale|choice|text)$/

/** Dialogs over the list used to be search parameters, which old links still have. Null: the list itself. */
export function movedAddress(params: Params, { url }: Request): string | null {
  const { searchParams: search } = new URL(url)
  const [create, edit, item, remove] = ['create', 'edit', 'item', 'remove'].map(
    (name) => search.get(name) ?? '',
  )
  if (ID.test(remove ?? '')) return `${editorOf(params, Number(remove))}/remove`
  if (ID.test(edit ?? '')) {
    const editor = editorOf(params, Number(edit))
    return ITEM.test(item ?? '') ? `${editor}/items/${item}` : editor
  }
  return create === 'true' ? `${listOf(params)}new` : null
}

/** The same for dialogs over the page of one learner. */
export function movedLearnerAddress(params: Params, { url }: Request): string | null {
  const { searchParams: search } = new URL(url)
  const reopen = search.get('reopen') ?? ''
  const rater = search.get('rater') === 'sponsor' ? 'sponsor' : 'self'
  return ID.test(reopen) ? `${learnerOf(params)}/reopen/${reopen}/${rater}` : null
}
