// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A token as old or hostile contracts write them: `symbol` is bytes32, `name` holds control and bidirectional
/// characters, and there is no `decimals`.
contract BrokenToken {
    bytes32 public constant symbol = "BRK";
    uint256 public constant totalSupply = 1_000_000;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    /// "Broken", right-to-left override, "nekoT", a bell, a zero-width space, a line feed, "<b>bold</b>".
    function name() external pure returns (string memory) {
        return unicode"Broken \u202enekoT\u202c\u0007\u200b\n<b>bold</b>";
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(balanceOf[msg.sender] >= value, "BrokenToken: balance too low");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
