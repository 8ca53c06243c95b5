import { Lift } from '#app/domain/lifts/lift.ts'
import { Prompt, PromptChange, PromptInput, PromptOrder, SeenPrompt } from '#app/domain/lifts/prompt.ts'
import { callsAbout } from './call.ts'
import { NOTHING, oneId } from './parts.ts'

const { post, put, patch, remove } = callsAbout('Lifts')

export const createPrompt = post('/lifts/{id}/prompts', {
  does: 'Add a question',
  may: 'edit lift',
  ids: oneId,
  body: PromptInput,
  answers: Prompt,
  described: 'Created',
  status: 201,
  repeats: 'once',
  audited: true,
})

export const orderPrompts = patch('/lifts/{id}/prompts/order', {
  does: 'All questions of a lift in their new order',
  may: 'edit lift',
  ids: oneId,
  body: PromptOrder,
  answers: Lift,
  audited: true,
})

export const updatePrompt = put('/prompts/{id}', {
  does: 'Change a question; with `version`, only if nobody else did meanwhile',
  may: 'edit prompt',
  ids: oneId,
  body: PromptChange,
  answers: Prompt,
  audited: true,
})

export const deletePrompt = remove('/prompts/{id}', {
  does: 'Delete a question, or retire one that was answered',
  may: 'edit prompt',
  ids: oneId,
  query: SeenPrompt,
  answers: NOTHING,
  audited: true,
})
