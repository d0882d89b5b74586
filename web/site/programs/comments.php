<?php
// Comment form: php comments.php IP TEXT prints publish, hold or reject, with a reason.
// Needs REPUTE_URL (where the service is) and REPUTE_KEY.

/** Status and decoded body of a call; status 0: the service did not answer. Waits once where it asks for it. */
function ask(string $path, array $body, bool $isSecondTry = false): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['X-API-Key: ' . getenv('REPUTE_KEY'), 'Content-Type: application/json'],
        'content' => json_encode($body),
        'ignore_errors' => true,
        'timeout' => 10,
    ]]);
    $answer = @file_get_contents(getenv('REPUTE_URL') . $path, false, $context);
    if ($answer === false) {
        return [0, null];
    }
    $status = (int) explode(' ', $http_response_header[0])[1];
    if (($status === 429 || $status === 503) && !$isSecondTry) {
        preg_match('/^retry-after: (\d+)/mi', implode("\n", $http_response_header), $found);
        if ((int) ($found[1] ?? 60) <= 5) {
            sleep((int) $found[1]);
            return ask($path, $body, true);
        }
    }
    return [$status, json_decode($answer)];
}

/** What to do with a comment. `hold`: a moderator looks at it. */
function judgeComment(string $ip, string $text): array
{
    preg_match_all('~https?://([^\s/:]+)~i', $text, $links);
    $questions = [['/api/check-ip?view=verdict', ['ip' => $ip]]];
    foreach (array_slice(array_unique($links[1]), 0, 5) as $domain) {
        $questions[] = ['/api/domain-reputation?view=verdict', ['domain' => $domain]];
    }
    $decision = ['publish', 'nothing speaks against it'];
    foreach ($questions as [$path, $body]) {
        [$status, $answer] = ask($path, $body);
        $value = reset($body);
        if ($status === 422) {
            $decision = ['hold', "$value is not valid"];
            continue;
        }
        if ($status !== 200) {
            // 402: no credits left, 429 and 503: later, 0: no answer. The comment waits, it is not lost.
            error_log("Reputation: no answer for $value, status $status");
            return ['hold', "no answer, status $status"];
        }
        $verdict = $answer->data->risk_score->verdict;
        if ($verdict === 'critical' || $verdict === 'high') {
            return ['reject', "$value: $verdict"];
        }
        if ($verdict === 'elevated' || $verdict === 'unknown') {
            $decision = ['hold', "$value: $verdict"];
        }
    }
    return $decision;
}

echo implode(': ', judgeComment($argv[1], $argv[2])), "\n";
