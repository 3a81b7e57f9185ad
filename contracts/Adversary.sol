// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

// What an attacker of figures needs on a chain: borrowed money, several calls in one transaction, and contracts that say
// and log whatever he likes.

interface ILentToken {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

/// Lends any amount that it has, without a fee, until the end of the call.
contract FlashLender {
    function lend(ILentToken token, uint256 amount, Batch borrower, Batch.Call[] calldata calls) external {
        uint256 before = token.balanceOf(address(this));
        require(token.transfer(address(borrower), amount), "FlashLender: not lent");
        borrower.run(calls);
        require(token.balanceOf(address(this)) >= before, "FlashLender: not repaid");
    }
}

/// Makes several calls in one transaction.
contract Batch {
    struct Call {
        address to;
        bytes data;
    }

    receive() external payable {}

    function run(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory answer) = calls[i].to.call(calls[i].data);
            if (!ok) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }

    /// The same call many times.
    function repeat(Call calldata one, uint256 times) external {
        for (uint256 i = 0; i < times; i++) {
            (bool ok,) = one.to.call(one.data);
            require(ok, "Batch: a call failed");
        }
    }
}

/// Answers every call with what it was told to answer, and logs what it is told to log: a coin, a pool, a factory or a
/// market that does not exist.
contract Liar {
    mapping(bytes4 => bytes) private answers;
    mapping(bytes32 => bytes) private exact;

    /// Answers all calls of a function.
    function say(bytes4 selector, bytes calldata answer) external {
        answers[selector] = answer;
    }

    /// Answers one call, with these arguments.
    function sayTo(bytes calldata call, bytes calldata answer) external {
        exact[keccak256(call)] = answer;
    }

    function emitLog(bytes32[] calldata topics, bytes calldata data) external {
        bytes memory copied = data;
        assembly {
            let start := add(copied, 32)
            let size := mload(copied)
            let at := topics.offset
            switch topics.length
            case 0 { log0(start, size) }
            case 1 { log1(start, size, calldataload(at)) }
            case 2 { log2(start, size, calldataload(at), calldataload(add(at, 32))) }
            case 3 { log3(start, size, calldataload(at), calldataload(add(at, 32)), calldataload(add(at, 64))) }
            default {
                log4(
                    start,
                    size,
                    calldataload(at),
                    calldataload(add(at, 32)),
                    calldataload(add(at, 64)),
                    calldataload(add(at, 96))
                )
            }
        }
    }

    fallback() external payable {
        bytes memory answer = exact[keccak256(msg.data)];
        if (answer.length == 0) answer = answers[msg.sig];
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
