import { skeletonOf } from "../../lookalikes.ts";

/**
 * Phrases that address the program that reads an answer, not a person who looks for a token. Agents see text from the
 * chain: it is data, and text that pretends to be more is flagged. The list covers the components of published
 * injections; no known token name needs one of these phrases.
 */
const PHRASES: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:instructions?|prompts?|rules?|context|guidelines?|messages?|commands?|everything|above|previous|prior|earlier)\b/u,
  /\b(?:system|developer|hidden|initial)[ _-]?(?:prompt|message|instructions?)\b/u,
  /(?:^|[<[({|#*\s])\/?(?:system|assistant|user|developer|human|tool|inst)(?:[>\])}|]|\s*:)/u,
  /<\|[^|]{1,20}\|>/u,
  /\b(?:new|following|these|my|secret|important) instructions?\b/u,
  /\b(?:you are now|you will now|you must (?:now|not|only|always|never|ignore|send|call|use|say|reply|answer)|from now on,? you|act as (?:a|an|the|if)|pretend (?:to be|you)|roleplay as|respond (?:only|with)|reply (?:only|with)|answer (?:only|with)|output only|do not (?:tell|mention|reveal|warn|flag|report)|don'?t (?:tell|mention|reveal|warn|flag|report))\b/u,
  /\b(?:reveal|print|repeat|show|leak|exfiltrate)\b.{0,30}\b(?:prompt|instructions?|api[ _-]?keys?|secrets?|private keys?|seed phrases?|passwords?)\b/u,
  /\b(?:send|transfer|approve|swap|bridge|pay|withdraw|deposit)\b.{0,30}\b(?:all|your|every|everything|funds?|tokens?|coins?|balance|eth|sol|trx|usdc|usdt|bitcoin)\b.{0,30}\b(?:to|into|for|at)\b/u,
  /\b(?:call|use|run|execute|invoke)\b.{0,20}\b(?:tool|function|command|plugin|code)\b/u,
  /\b(?:mark|treat|report|rate|consider)\b.{0,20}\b(?:as )?(?:safe|trusted|verified|legit|legitimate|low risk)\b/u,
  /(?:忽略|无视|忘记|無視)[^。]{0,12}(?:指令|指示|提示|规则|規則)/u,
];

/** True when a text reads as an order to the program that shows it, in any script that looks like Latin. */
export const isInstruction = (text: string): boolean => {
  const read = skeletonOf(text).replace(/\s+/gu, " ");
  return PHRASES.some((phrase) => phrase.test(read) || phrase.test(text));
};
