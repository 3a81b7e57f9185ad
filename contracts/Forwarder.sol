// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Passes coins and calls on. Chains of forwarders make inner calls of any depth, some of which fail.
contract Forwarder {
    error Refused(uint256 depth);

    receive() external payable {}

    /// Calls `target` with the value that came in and fails when it fails.
    function forward(address target, bytes calldata data) external payable returns (bytes memory) {
        return _call(target, msg.value, data);
    }

    /// Like `forward`, but a failure is swallowed: the coins stay here.
    function attempt(address target, bytes calldata data) external payable returns (bool ok) {
        (ok,) = target.call{value: msg.value}(data);
    }

    /// Pays a part of the value to each of `targets` and keeps the rest.
    function split(address[] calldata targets, uint256 each) external payable {
        for (uint256 i = 0; i < targets.length; i++) _call(targets[i], each, "");
    }

    /// Calls itself `depth` times with the value, then fails.
    function refuse(uint256 depth) external payable {
        if (depth == 0) revert Refused(depth);
        this.refuse{value: msg.value}(depth - 1);
    }

    /// Never ends: uses up all gas.
    function spin() external payable {
        while (true) {}
    }

    function _call(address target, uint256 value, bytes memory data) private returns (bytes memory) {
        (bool ok, bytes memory answer) = target.call{value: value}(data);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer;
    }
}
