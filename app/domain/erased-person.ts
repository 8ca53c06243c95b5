export const ERASED_PERSON = 'This person was erased for good; nothing of it can be taken back.'
